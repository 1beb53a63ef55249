package twobucket

func Solve(sizeBucketOne, sizeBucketTwo, goalAmount int, startBucket string) (string, int, int, error) {
	panic("Please implement the Solve function")
}
