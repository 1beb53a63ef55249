"""Returns the greatest common divisor of two whole numbers."""


def greatest_common_divisor(a, b):
    while b:
        a, b = b, a % b  # broken: a, b = b, b % a
    return abs(a)

# case: ((12, 18), 6)
# case: ((17, 5), 1)
# case: ((0, 9), 9)
# case: ((100, 75), 25)
