(function(use,load,meta,require){"use strict";
var n=class e extends Error{code;at;field;static{Object.defineProperty(e,"name",{value:"StrategyError"})}constructor(a,o,r={}){super(o,"cause"in r?{cause:r.cause}:{}),this.name="StrategyError",this.code=
a,this.at=void 0,this.field=r.field}toJSON(){return{...this,message:this.message}}};function t(e){return e}                      

return{a:n,b:t}})