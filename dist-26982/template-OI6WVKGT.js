(function(use,load,meta,require){"use strict";const {a:e,d:a}=use("chunk-4WGROWL7.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                       function u({name:m,account:t,markets:o},{equity:r,room:s,leverage:n},d){let i=l=>Number(Math.max(1,l).toPrecision(1)),p=Math.min(r,s??r);return{name:m,accounts:[t],markets:o,sides:["buy","sell"],largestOrderUsd:i(
r*.01),largestPositionUsd:i(r*.03),largestLeverage:n,lossPerDayUsd:i(p*.1),ordersPerMinute:10,stopWithin:.02,largestOrderRoom:.1,largestPositionRoom:.3,roomLeftUsd:i(p*.5),hours:[{days:[1,2,3,4,5],from:480,
to:1200}],until:Math.ceil((d+30*864e5)/36e5)*36e5,approveAboveUsd:i(r*.005),approvalBps:50}}function c(m){let t=o=>`${e[o].key} = ${a(o,m[o])}`;return`# What the bot ${m.name} may trade through perp g\
ate or perp mcp (TOML).
# It takes effect when you sign it: perp mandate sign FILE. You can tighten a term here at any time; loosening one
# needs a new signature. perp mandate check FILE shows what it allows now.

${t("name")}
# Ids, exactly as perp accounts and perp markets show them.
${t("accounts")}
${t("markets")}
# Sides that may add exposure. Reductions may always use both.
${t("sides")}

# Maximum value of an order that adds, and of a position, including working orders, ladders and TWAPs that could add.
${t("largestOrderUsd")}
${t("largestPositionUsd")}
${t("largestLeverage")}
# After this loss in a trading day (from midnight in New York), open positions included, nothing may be added.
${t("lossPerDayUsd")}
# Maximum orders in any 60 seconds, reductions included. Each rung of a ladder is one. Canceling is free.
${t("ordersPerMinute")}
${t("until")}

# Every order that adds needs its own stop, at most this far from its entry ("any": any distance).
# TWAPs, ladders and copies have no stops, so this term lets them only reduce.
# ${t("stopWithin")}

# Maximum worst-case loss of an order, and of a position, as a share of the room to the nearest floor.
# ${t("largestOrderRoom")}
# ${t("largestPositionRoom")}
# Room that must be left in the worst case: every stop fires, and everything without a stop is lost.
# ${t("roomLeftUsd")}

# When the bot may add, in UTC.
# ${t("hours")}

# An order that adds more than this waits for you: perp approve. An approval is void once the mark moves by
# approval-within.
# ${t("approveAboveUsd")}
# ${t("approvalBps")}
`}                                              

return{suggestedMandate:u,templateOf:c}})