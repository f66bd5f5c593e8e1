(function(use,load,meta,require){"use strict";
var r={exposureCapUsd:null,slippageCaps:!1,stopPrice:"mark",marks:"book",fxAtMark:!1,openInterestUsd:{},worstPriceIsEstimate:!1,orderListNeedsFilter:!1,sideAloneIsPlainQuote:!1,pingsKeepStream:!1};function o({
observed:e}){return e?.marks==="venue"}function s({observed:e}){return e??r}                             

return{a:r,b:o,c:s}})