"""Returns the powers of a base that are less than a limit, in ascending order."""


def powers_below(base, limit):
    powers, power = [], 1
    while power < limit:
        powers.append(power)
        power *= base  # broken: power += base
    return powers

# case: ((2, 20), [1, 2, 4, 8, 16])
# case: ((10, 1), [])
# case: ((3, 28), [1, 3, 9, 27])
