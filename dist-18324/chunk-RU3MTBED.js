(function(use,load,meta,require){"use strict";const {ca:r}=use("chunk-AFUPYCZE.js");
                                         function f({thrown:e,writes:l,streams:i,...s}){let{repeated_with_key:d,looked_up:c,doubled:_,lost:p}=l,u=i.longest_gap_ms===0?"":`, the longest ${r(i.longest_gap_ms)}`,n=s.ordinary_rate_limits,$=n===0?
"":` By the ordinary limit: ${n}.`,a=[[e.lost_answers,`Lost answers: ${e.lost_answers}. Repeated under their keys: ${d}, looked up: ${c}, doubled: ${_}, lost: ${p}.`],[e.rate_limits+n,`429: ${e.rate_limits}\
. Requests too early: ${s.rate_limits_ignored}.${$}`],[e.rejections+e.lingering,`Rejected after acceptance: ${e.rejections}. Closed positions still listed: ${e.lingering}.`],[e.partial_answers,`Bulk o\
perations in steps: ${e.partial_answers}, left unfinished: ${s.bulk_unfinished}.`],[e.drains,`Streams drained: ${e.drains}. Times without a connection: ${i.gaps}${u}, not back: ${i.not_reconnected}; a\
ccount events missed: ${i.account_events_missed}.`],[e.ends+e.history_failures,`Subscriptions ended: ${e.ends}, made again: ${i.subscribed_again}, not: ${i.not_subscribed_again}. Failed histories: ${e.
history_failures}.`]],t=a.filter(([o])=>o>0).map(([,o])=>`weather: ${o}`);if(t.length===a.length)return t;let g=t.length===0?"Nothing came":"Nothing else came";return[...t,`weather: ${g} in this time,\
 so no more was tried. A longer run meets more.`]}               

return{a:f}})