/** Carry of the simulation in bps of mark notional a day, by market category (simulation 5.6). */
export const carryBpsPerDay: Readonly<Record<string, number>> = { crypto: 3, tradfi: 1.5, fx: 0.5 };
