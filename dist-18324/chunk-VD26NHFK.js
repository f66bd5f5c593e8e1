(function(use,load,meta,require){"use strict";const {a:e,sa:n}=use("chunk-AFUPYCZE.js");
                                                var l={wick:"\u2502",wickTop:"\u2575",wickBottom:"\u2577"},t={...l,body:"\u2503",bodyTop:"\u2579",bodyBottom:"\u257B",wickBody:"\u257D",bodyWick:"\u257F"},s={...l,body:"\u2588",bodyTop:"\u2580",bodyBottom:"\
\u2584",wickBody:"\u2584",bodyWick:"\u2580"},a="\u2026",d={buy:"\u25B2",sell:"\u25BC",level:"\u2508",bars:["\u258F","\u258E","\u258D","\u258C","\u258B","\u258A","\u2589","\u2588"],heights:["\u2581","\u2582",
"\u2583","\u2584","\u2585","\u2586","\u2587","\u2588"],cursor:"\u203A",gauge:{used:"\u2588",left:"\u2591"},cut:a,traded:"\u2022",arrows:{left:"\u2190",right:"\u2192",vertical:"\u2191\u2193"}},i=o=>({wick:"\
|",wickTop:"'",wickBottom:".",body:o,bodyTop:o,bodyBottom:o,wickBody:o,bodyWick:o}),y={rising:i("O"),falling:i("#"),buy:"^",sell:"v",level:"-",bars:["=","=","=","=","=","=","=","="],heights:[".",":","\
|"],cursor:">",gauge:{used:"#",left:"."},cut:"~",traded:"*",arrows:{left:"Left",right:"Right",vertical:"Up Down"}};function u(o,r){return c(o)?{...d,rising:t,falling:r?t:s}:y}function c(o){let r=n(o,"\
LC_ALL")??n(o,"LC_CTYPE")??n(o,"LANG");return r===void 0?e():/utf-?8/i.test(r)}                   

return{a:a,b:u,c:c}})