class TwoBucket {

    TwoBucket(int bucketOneCap, int bucketTwoCap, int desiredLiters, String startBucket) {
        throw new UnsupportedOperationException("Delete this statement and write your own implementation.");
    }

    Result getResult() {
        throw new UnsupportedOperationException("Delete this statement and write your own implementation.");
    }
    
}
