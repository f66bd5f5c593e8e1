(function(use,load,meta,require){"use strict";const {i:a}=use("chunk-4YYIE5FR.js");const {N:u}=use("chunk-AFUPYCZE.js");
                                                                                function M(e,{isTrading:t=!1,ownKeys:r=new Map,deckKeys:o=[]},{columns:g,rows:k},c){let b=l=>l.flatMap(([d,x])=>u(x,Math.max(10,g-y-2),"").split(`
`).map(($,q)=>["  ",a((q===0?d:"").padEnd(y),"strong"),$])),n=(l,d)=>[[a(l,"faint")],...b(d)],h=t?n("Each key shows its order and asks, unless armed.",[...w(e),...r,...o]):[...n("Keys",[...o,...m(e)]),
[],...n("Signs",v(e))],i=Math.max(1,k-1),s=Math.ceil(h.length/i),p=c%s*i,P=s===1?"Any key closes this page.":`Page ${c%s+1} of ${s}; ? next, any other key closes.`;return[...h.slice(p,p+i),[a(P,"warn")]]}
var y=14;function S(e,t){return(t?w(f):m(f)).find(([o])=>o.split(/,? /).includes(e))?.[1]}var f={arrows:{left:"left",right:"right",vertical:"up down"}},m=({arrows:{left:e,right:t,vertical:r}})=>[[`${e}\
 ${t}, h l, Tab`,"previous and next market"],["1 to 9","the market at this position in the strip"],["[ ]","shorter and longer candles"],[`${r}, k j`,"select a position or an order"],["Enter","show the\
 market of the selected row"],["a","next account"],["L","the price ladder: beside the chart, whole, off"],[":","type a command; Tab completes, up recalls"],["/","search a market"],["w","positions, ord\
ers, fills: each on the whole screen"],["t","trading keys on and off; then ? shows them"],["?","this page; while it is shown, the next one"],["q, Ctrl-C","quit"]],v=({buy:e,sell:t,traded:r,level:o})=>[
[`${e} ${t} ${r}`,"your buys and sells; trades at a price of the ladder"],[o.repeat(2),"your orders, entry and liquidation price, named at the right"],["B0.05<3.2","on the ladder: your order, and the \
size ahead of it in the queue"],["ends at","liquidation price, or the price at which a floor is touched"],["! !! !!!","50, 80, 95% of the way to a floor is used; the bell rings once"]],w=({arrows:{vertical:e}})=>[
["b s","buy, sell at market"],["i o","buy, sell at the cursor of the ladder"],["I O","join the best bid, the best ask"],[`${e} = f`,"cursor of the ladder, held by its price; center; free"],["g G 0","c\
oarser, finer rows, up to 1% each; as coarse as your lines need"],["m","pick up the order at the cursor; move it to the cursor"],["x X K","cancel: this level or order, this side, all of the market"],[
"c v z","close the position: all, half, a quarter"],["r F","reverse the position; flatten the account"],["e","stop to break-even, fees and carry included"],["p","add to the position under its stop: ty\
pe the size"],["u d, U D","stop up and down, target up and down, by a row or a tick"],["S T","stop, target: type a price"],[":","type a command; Tab completes, up recalls"],["A","arm: one key is one o\
rder, without a question; again: disarm"]];                      

return{a:M,b:S}})