// Vectors as bytes: the form in which they are stored and compared.

/** The vector scaled to bytes, its greatest component to 127. Quantizing the result again changes nothing. */
export function quantize(vector: ArrayLike<number>): Int8Array<ArrayBuffer> {
  const bytes = new Int8Array(vector.length);
  let greatest = 0;
  for (let i = 0; i < vector.length; i += 1) greatest = Math.max(greatest, Math.abs(vector[i] ?? 0));
  if (greatest === 0) return bytes;
  for (let i = 0; i < vector.length; i += 1) bytes[i] = Math.round(((vector[i] ?? 0) / greatest) * 127);
  return bytes;
}
