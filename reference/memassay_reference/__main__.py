"""`python -m memassay_reference`: the reference as an adapter, over the same pipe as anyone's."""

from memassay_reference.adapter import serve

if __name__ == "__main__":
    serve()
