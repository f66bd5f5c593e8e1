import { ruleKinds } from './rules.ts';

/** The file that `perp guard init` writes. */
export const rulesTemplate = `# Rules of perp guard (TOML). perp guard rules checks and explains them.
#
# Every rule that fires is printed and passed to exec. "do" lists further actions:
#   "lock"     perp refuses anything that adds exposure until the day ends (midnight in New York)
#   "cancel"   every order is canceled, TWAPs and ladders too
#   "flatten"  every position is closed, and every order canceled
# Without "do", a rule has the actions shown here. do = [] only alerts.
# A rule may be given several times: [[price]] instead of [price].

# account = "acc_1"            # refuse to guard any other account
# zone = "America/New_York"    # time zone of the times below; "local" is this machine's
# exec = ["notify-send", "perp"]   # receives every alert as JSON on its standard input
${Object.values(ruleKinds)
  .map(({ template }) => template)
  .join('')}`;
