import PushBridgeCore

extension Divergence {
    /// What is sent.
    static let ofRequests: [Divergence] = [
        Divergence(
            "legacy-headers",
            legacy:
                "Requests also say `Accept: application/json`, `x-requested-with: forgerock-sdk` and `x-requested-platform: ios`.",
            async: "Requests say what the protocol needs.",
            reason: "Proxies and trees of customers may tell clients apart by these headers."
        ) { it in
            guard it.isAt("requests", "*", "headers", "*"), let header = it.difference.path.last else {
                return false
            }
            switch header {
            case "accept": return it.values("application/json", "*/*")
            case "x-requested-with": return it.values("forgerock-sdk", nil)
            case "x-requested-platform": return it.values("ios", nil)
            default: return false
            }
        },
        Divergence(
            "time-out",
            legacy: "A request may take 60 seconds.",
            async: "A request may take 15 seconds, or what the configuration says.",
            reason: "Each API keeps the patience its apps were written for."
        ) { it in
            it.isAt("timeouts", "*") && it.values(.number(60), .number(15))
        },
    ]
}
