package affinecipher

func Encode(text string, a, b int) (string, error) {
	panic("Please implement the Encode function")
}

func Decode(text string, a, b int) (string, error) {
	panic("Please implement the Decode function")
}
