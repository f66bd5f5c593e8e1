import { type ExitPlan, trailText } from '../../../desk/values/exit-plans.ts';

/** What each part of a plan does, a sentence each. */
export function planWords({ targets, breakEven, trail }: ExitPlan): string[] {
  return [
    ...targets.map(({ text }, at) => {
      const [share, price] = text.split('@');
      return `Target ${at + 1}: ${share === 'rest' ? 'the rest' : share} of the position at ${price}, a reduce-only order.`;
    }),
    ...guardWords({ breakEven, trail }, targets.length),
  ];
}

/** What a guard has to do of a plan. */
export function guardWords({ breakEven, trail }: Pick<ExitPlan, 'breakEven' | 'trail'>, targets: number): string[] {
  return [
    ...(breakEven ? ['After target 1, a guard moves the stop to the entry.'] : []),
    ...(trail === undefined
      ? []
      : [
          `${targets === 0 ? 'At once' : `After target ${targets}`}, a guard moves the stop behind the price, ${trailText(trail)} away.`,
        ]),
  ];
}
