package railfencecipher

func Encode(message string, rails int) string {
	panic("Please implement the Encode function")
}

func Decode(message string, rails int) string {
	panic("Please implement the Decode function")
}
