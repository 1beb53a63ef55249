"""Says whether round, square and curly brackets of a text are closed in the right order."""


def is_balanced(text):
    pairs = {")": "(", "]": "[", "}": "{"}
    open_brackets = []
    for letter in text:
        if letter in "([{":
            open_brackets.append(letter)
        elif letter in pairs:
            if not open_brackets or open_brackets.pop() != pairs[letter]:
                return False
    return not open_brackets  # broken: return True

# case: (('(a[b]{c})',), True)
# case: (('((',), False)
# case: (('(]',), False)
# case: (('',), True)
