"""Returns a number from 1 to 3999 in Roman numerals."""

NUMERALS = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
            (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def roman(number):
    text = ""
    for value, numeral in NUMERALS:
        while number >= value:  # broken: while number > value:
            text += numeral
            number -= value
    return text

# case: ((1994,), 'MCMXCIV')
# case: ((4,), 'IV')
# case: ((3,), 'III')
# case: ((40,), 'XL')
