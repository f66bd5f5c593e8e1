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

# [daily-stop]                 # loss since the start of the day, including open positions
# loss = "2%"                  # of the day's first equity; or "500usd"
# do = ["lock", "flatten"]

# [max-trades]                 # positions opened since the start of the day
# trades = 10
# do = ["lock"]

# [max-losses]                 # positions in a row closed with a loss since the start of the day
# losses = 3
# do = ["lock"]

# [no-trade]                   # locks until these hours end
# hours = ["22:00-02:00", "Fri 16:00-24:00", "Sat-Sun"]
# do = ["lock"]

# [flatten-before]
# times = ["16:55", "Fri 16:30", "2026-12-10 08:25"]
# do = ["flatten"]

# [breach]                     # a move of every market that would reach a floor of the account
# within = "1%"
# do = []

# [trail]                      # stops follow the best price and only move closer
# market = "BTC"               # without it: every position
# by = "1.5%"                  # or a distance in price: 200

# [[price]]
# market = "BTC"
# above = 100000               # and/or below
# do = []

# [fills]                      # an alert for every fill

# [heartbeat]                  # a dead man's switch: fires when the file has not been touched for max-age
# file = "/run/user/1000/bot.alive"
# max-age = "60s"
# do = ["flatten"]
`;
