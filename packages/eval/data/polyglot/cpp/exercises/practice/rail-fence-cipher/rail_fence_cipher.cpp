#include "rail_fence_cipher.h"

namespace rail_fence_cipher {

std::string encode(const std::string& plaintext, int num_rails) {}

std::string decode(const std::string& ciphertext, int num_rails) {}

}  // namespace rail_fence_cipher
