extension PushEndpoints {
    /// The addresses that follow from that of the server alone, for whoever kept nothing else.
    ///
    /// Query items of `server` stay, save `_action`. `nil` if it is not an absolute URL with a host.
    public init?(server: String) {
        let parts = server.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let items = parts.dropFirst().flatMap { $0.split(separator: "&") }.filter {
            !$0.hasPrefix("_action=")
        }
        let query = items.map { "\($0)&" }.joined()
        let address = "\(parts.first ?? "")?\(query)"
        self.init(
            registration: "\(address)_action=register",
            authentication: "\(address)_action=authenticate"
        )
    }
}
