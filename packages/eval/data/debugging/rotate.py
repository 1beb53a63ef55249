"""Returns a list rotated to the right by a number of places, which may be larger than the list."""


def rotate(values, places):
    if not values:
        return []
    places %= len(values)
    return values[len(values) - places:] + values[:len(values) - places]  # broken: return values[places:] + values[:places]

# case: (([1, 2, 3, 4], 1), [4, 1, 2, 3])
# case: (([1, 2, 3], 4), [3, 1, 2])
# case: (([], 3), [])
# case: (([1, 2], 0), [1, 2])
