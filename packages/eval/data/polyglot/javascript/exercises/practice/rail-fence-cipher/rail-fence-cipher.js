//
// This is only a SKELETON file for the 'Rail Fence Cipher' exercise. It's been provided as a
// convenience to get you started writing code faster.
//

export const encode = () => {
  throw new Error('Remove this line and implement the function');
};

export const decode = () => {
  throw new Error('Remove this line and implement the function');
};
