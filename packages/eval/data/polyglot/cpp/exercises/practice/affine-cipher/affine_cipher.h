#ifndef AFFINE_CIPHER_H
#define AFFINE_CIPHER_H

namespace affine_cipher {

// TODO: add your solution here

}  // namespace affine_cipher

#endif  // AFFINE_CIPHER_H
