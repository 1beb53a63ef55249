/** Shares a budget fairly: who needs little gets it, and what is left over goes to those who need more. Pure. */

export function sharesOf(needs: number[], budget: number): number[] {
  const shares = needs.map(() => 0);
  const smallestFirst = needs.map((_, index) => index).sort((a, b) => (needs[a] ?? 0) - (needs[b] ?? 0));
  let left = budget;
  for (const [served, index] of smallestFirst.entries()) {
    const share = Math.min(needs[index] ?? 0, Math.floor(left / (needs.length - served)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
