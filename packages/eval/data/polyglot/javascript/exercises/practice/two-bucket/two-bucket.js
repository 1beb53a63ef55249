//
// This is only a SKELETON file for the 'Two Bucket' exercise. It's been provided as a
// convenience to get you started writing code faster.
//

export class TwoBucket {
  constructor() {
    throw new Error('Remove this line and implement the function');
  }

  solve() {
    throw new Error('Remove this line and implement the function');
  }
}
