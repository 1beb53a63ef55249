"""Returns a longest subsequence that two texts have in common."""


def longest_common_subsequence(a, b):
    if not a or not b:
        return ""
    if a[0] == b[0]:
        return a[0] + longest_common_subsequence(a[1:], b[1:])  # broken: return a[0] + longest_common_subsequence(a[1:], b)
    return max(longest_common_subsequence(a[1:], b), longest_common_subsequence(a, b[1:]), key=len)

# case: (('witch', 'watch'), 'wtch')
# case: (('meter', 'term'), 'ter')
# case: (('aab', 'ab'), 'ab')
# case: (('x', ''), '')
