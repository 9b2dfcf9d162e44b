/** Arguments as far as they are known: a file with problems lacks the fields whose type is wrong. */
export type Known<T> = T extends object ? { readonly [K in keyof T]?: Known<T[K]> } : T;
