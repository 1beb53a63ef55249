"""Returns the words of a text in lines of at most a width, as many words a line as fit."""


def word_wrap(text, width):
    lines = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:  # broken: if lines and len(lines[-1]) + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines

# case: (('aa bb cc', 5), ['aa bb', 'cc'])
# case: (('aa bb', 4), ['aa', 'bb'])
# case: (('', 3), [])
