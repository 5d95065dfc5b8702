"""Miniature wrong implementations: the reference with one thing broken, put to the cases.

A case that no mistake fails proves nothing; a mistake that no case fails is a hole in the spec.
"""

from attrs import evolve

from memassay.judge.decide import Record, decide
from memassay.judge.places import hide
from memassay.judge.verdict import Outcome
from memassay.spec.builders import Context, build_mapping, clock_ms
from memassay.spec.loader import load_spec
from memassay.spec.trees import make_tree
from memassay_reference.adapter import answer, load_ops


def replaced(module, name, make):
    """A mistake that puts something else in place of one name of a module."""
    return lambda patch: patch.setattr(module, name, make(getattr(module, name)))


class Questions:
    """Cases, ready to be put again and again: directories are made once.

    So only ops that change nothing in their directory can be asked.
    """

    def __init__(self, tmp_path_factory):
        self._spec, self._ops = load_spec(), load_ops()
        self._tmp_path_factory = tmp_path_factory
        self._questions = []

    def add(self, chapters, *, profile="claude-code", op=None):
        """Add the cases of chapters, all or those of one op; not those that need a model."""
        for case in self._spec.select(profile=profile, chapters=chapters):
            if case.model is None and op in (None, case.op):
                self._questions.append(self._question(case, profile))

    def _question(self, case, profile):
        root = str(self._tmp_path_factory.mktemp("tree")) if case.tree is not None else None
        context = Context(root or "/tree", clock_ms(case.clock))
        if root is not None:
            make_tree(case.tree, context)
            expect = {key: part for key, part in case.expect.items() if key != "tree"}
            case = evolve(case, expect=expect)  # only its result is judged
        return case, profile, root, build_mapping(case.args, context)

    def failing(self, prefix=""):
        """The ids of the cases that fail now; of those whose id begins with `prefix`."""
        return [
            case.id
            for case, profile, root, args in self._questions
            if case.id.startswith(prefix) and not self._passes(case, profile, root, args)
        ]

    def _passes(self, case, profile, root, args):
        body = answer(self._ops, case.op, args, profile)
        record = Record(**(hide(body, root) if root else body))
        return decide(case, self._spec.ops[case.op], record).outcome is Outcome.PASS
