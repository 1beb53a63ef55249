import unittest

from twins.sizes import human, parse_size


class HumanTest(unittest.TestCase):
    def test_small_sizes_are_bytes(self):
        self.assertEqual(human(0), "0 B")
        self.assertEqual(human(1023), "1023 B")

    def test_a_full_unit_moves_to_the_next(self):
        self.assertEqual(human(1024), "1.0 KB")
        self.assertEqual(human(1024**2), "1.0 MB")
        self.assertEqual(human(1536), "1.5 KB")

    def test_the_largest_unit_takes_the_rest(self):
        self.assertEqual(human(5000 * 1024**4), "5000.0 TB")


class ParseSizeTest(unittest.TestCase):
    def test_sizes_are_read_in_any_unit(self):
        self.assertEqual(parse_size("300"), 300)
        self.assertEqual(parse_size("10k"), 10240)
        self.assertEqual(parse_size("1.5 MB"), 1572864)

    def test_what_is_no_size_is_refused(self):
        for text in ("", "ten", "-1", "inf", "k"):
            with self.assertRaises(ValueError):
                parse_size(text)
