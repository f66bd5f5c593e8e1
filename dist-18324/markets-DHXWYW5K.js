(function(use,load,meta,require){"use strict";const {a:g}=use("chunk-2R4FVOD3.js");const {Ad:l,Bd:u,Mj:s,Nj:n,Qd:a,Rd:d,Rj:c,Sj:y,Tj:k,Uj:h}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                     var w={summary:"List tradable markets",options:{category:{value:"CATEGORY",summary:"only one category, such as crypto, tradfi or fx"},prices:{summary:"add the last price, its change in 24 hours, the m\
ark and the venue's funding"},venue:n,search:{value:"TEXT",summary:"only markets whose symbol, coin or id contains this text"}},examples:[["perp markets","all of them"],["perp markets list --category \
crypto","one category"],["perp markets list --search gold","by name"],["perp markets --prices --category crypto","last price and change in 24 hours"]],async run(r,t){s(t.venue,r.settings.simulation.books);
let i=t.category?.toLowerCase(),m=t.search?.toLowerCase(),e=(await l(r)).filter(o=>(i===void 0||o.category?.toLowerCase()===i)&&(m===void 0||`${o.symbol} ${o.coin} ${o.market_id}`.toLowerCase().includes(
m)));if(t.prices){let o=await r.person.during("Reading prices",()=>g(r,e)),f=e.map(p=>({...p,computed:o.get(p.market_id)??null}));return a(f,{fields:[...c,...["last","change_24h_pct","mark","funding_r\
ate"].map(p=>`computed.${p}`)],columns:k,empty:"No market matches."})}return a(e,{fields:c,columns:y,empty:"No market matches."})}},b={summary:"Show one market: venue, lot, leverage",args:[{name:"mark\
et",kind:"market",summary:"id, coin or symbol"}],options:{venue:n},examples:[["perp markets show BTC","by symbol"],["perp markets show binance:BTCUSDT","by id"]],async run(r,t){s(t.venue,r.settings.simulation.
books);let{market_id:i}=await u(r,t.market),{data:m}=await r.call("getMarket",{path:{market_id:i}});return d(m,()=>h(m))}},$={list:w,show:b};                      

return{commands:$}})