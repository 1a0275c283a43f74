local hs = { status = "Progressing", message = "Waiting for the Weft operator" }
if obj.spec ~= nil and obj.spec.suspend then return { status = "Suspended", message = "suspended" } end
local st = obj.status
if st == nil or st.conditions == nil or st.observedGeneration ~= obj.metadata.generation then return hs end
local c = {}
for _, x in ipairs(st.conditions) do c[x.type] = x end
if c.Stalled and c.Stalled.status == "True" then return { status = "Degraded", message = c.Stalled.message } end
if c.Reconciling and c.Reconciling.status == "True" then return { status = "Progressing", message = c.Reconciling.message } end
if c.Ready == nil then return hs end
return { status = c.Ready.status == "True" and "Healthy" or "Degraded", message = c.Ready.message }
