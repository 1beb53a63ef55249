"""Returns the next permutation of a list in lexicographic order, or the list itself if it is the last."""


def next_permutation(values):
    values = list(values)
    for first in range(len(values) - 2, -1, -1):
        if values[first] < values[first + 1]:
            for second in range(len(values) - 1, first, -1):
                if values[first] < values[second]:  # broken: if values[second] < values[first]:
                    values[first], values[second] = values[second], values[first]
                    values[first + 1:] = reversed(values[first + 1:])
                    return values
    return values

# case: (([1, 2, 3],), [1, 3, 2])
# case: (([1, 3, 2],), [2, 1, 3])
# case: (([3, 2, 1],), [3, 2, 1])
# case: (([3, 5, 6, 2, 1],), [3, 6, 1, 2, 5])
