import type { Console } from '../../../console/console.ts';
import { defineCommand } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { profileInWords, survivalInWords } from '../../../console/views/weather-view.ts';

export const command = defineCommand({
  summary: 'Show the weather of a served simulation, and how clients have survived it',
  description:
    'Since it was served. perp sim serve --weather SEED makes weather; perp sim run --weather SEED tells it at its end.',
  examples: [
    ['perp sim weather', 'what was thrown at clients, and what they did'],
    ['perp sim weather --jq .writes.doubled', 'for a script'],
  ],
  simulationOnly: true,
});

export async function run(console: Console): Promise<Result> {
  const { data } = await console.call('simWeather', {});
  const { profile, ...report } = data;
  return recordOf(data, () => [
    line(`weather: ${profileInWords(profile)}`),
    ...survivalInWords(report).map((told) => line(told)),
  ]);
}
