"""Says whether a year of the Gregorian calendar is a leap year."""


def leap_year(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)  # broken: return year % 4 == 0 and year % 100 != 0

# case: ((2000,), True)
# case: ((1900,), False)
# case: ((2024,), True)
# case: ((2023,), False)
