#include "two_bucket.h"

namespace two_bucket {

// TODO: add your solution here

}  // namespace two_bucket
