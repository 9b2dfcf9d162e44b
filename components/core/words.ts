/**
 * Messages of components name what all components share by its argument, in backticks: `platform.allowDataLoss`. A program
 * that takes its arguments from configuration has other names for them, and puts them in their place.
 */

/** A message with the program's names in place of arguments'. */
export type Words = (message: string) => string;

let words: Words = (message) => message;

/** How messages of the component that is being made are worded, those of its hooks too. @default as it says them */
export function programWords(): Words {
  return words;
}

/** Makes components whose messages have the program's own words. */
export function inWordsOf<Made>(program: Words, make: () => Made): Made {
  const before = words;
  words = program;
  try {
    return make();
  } finally {
    words = before;
  }
}
