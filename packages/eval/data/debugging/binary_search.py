"""Returns the smallest index of a value in an ascending list, or -1."""


def binary_search(values, wanted):
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1  # broken: low = middle
        else:
            high = middle
    return low if low < len(values) and values[low] == wanted else -1

# case: (([1, 3, 5, 7], 5), 2)
# case: (([1, 3, 5, 7], 7), 3)
# case: (([2, 2, 2], 2), 0)
# case: (([], 1), -1)
# case: (([4], 9), -1)
