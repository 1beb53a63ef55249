"""Returns runs of equal letters as pairs of letter and count."""


def run_length(text):
    runs = []
    for letter in text:
        if runs and runs[-1][0] == letter:
            runs[-1] = (letter, runs[-1][1] + 1)  # broken: runs[-1] = (letter, 1)
        else:
            runs.append((letter, 1))
    return runs

# case: (('aaab',), [('a', 3), ('b', 1)])
# case: (('',), [])
# case: (('abba',), [('a', 1), ('b', 2), ('a', 1)])
