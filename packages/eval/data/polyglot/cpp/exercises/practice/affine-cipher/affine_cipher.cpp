#include "affine_cipher.h"

namespace affine_cipher {

// TODO: add your solution here

}  // namespace affine_cipher
