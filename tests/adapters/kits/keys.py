"""Project keys that every kit must make, with where each is from."""

ZEROS = "\0" * 200

KEYS = {
    "plain": ("/home/me/my_Project.9", "-home-me-my-Project-9"),
    "root, as G14-root": ("/", "-"),
    "empty": ("", ""),
    "every unit outside A-Z a-z 0-9, nothing collapsed": ('/a  é漢\t"\\\u2028', "-a--------"),
    "an astral character is two units": ("/x😀y", "-x--y"),
    "a lone half is one unit": ("/x\ud83dy", "-x-y"),
    "decomposed, as G04-nfd": ("cafe\u0301", "cafe-"),
    "not one character outside ASCII is a letter": ("ÀZªz٣9", "-Z-z-9"),
    "what a shell might take for its own": ("%d\\101$(x)`y`'*", "-d-101--x--y---"),
    "200 units stay bare": ("/" + "k" * 199, "-" + "k" * 199),
    # Java's hash is 0 for zeros, and the value of its last five digits in base 31 after them.
    "201 units: hash 0": (ZEROS + "\0", "-" * 200 + "-0"),
    "hash 35 is one digit": (ZEROS + "#", "-" * 200 + "-z"),
    "hash 36 is two": (ZEROS + "$", "-" * 200 + "-10"),
    # 2325·31⁴ + 9·31³ + 30·31² + 12·31 + 2 = 2³¹, which wraps to −2³¹: zik0zk, as G02b-hash-int-min
    "hash −2³¹": (ZEROS + "\u0915\x09\x1e\x0c\x02", "-" * 200 + "-zik0zk"),
    # 4650·31⁴ + 19·31³ + 29·31² + 24·31 + 3 = 2³² − 1, which wraps to −1
    "hash −1": (ZEROS + "\u122a\x13\x1d\x18\x03", "-" * 200 + "-1"),
    # 55357·31 + 56832 = 1772899 over both halves of the emoji: 36⁴ + 93283, in base 36 11zz7
    "the hash goes over units": (ZEROS + "😀", "-" * 200 + "-11zz7"),
}
