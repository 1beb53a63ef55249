class RailFenceCipher {

    RailFenceCipher(int rows) {
        throw new UnsupportedOperationException("Delete this statement and write your own implementation.");
    }

    String getEncryptedData(String message) {
        throw new UnsupportedOperationException("Delete this statement and write your own implementation.");
    }

    String getDecryptedData(String message) {
        throw new UnsupportedOperationException("Delete this statement and write your own implementation.");
    }

}