import PushBridgeCore

/// The vendor's new SDK keeps of two addresses only what they have in common; whoever knows both completes it.
extension PushCredential {
    /// Whether the credential came from a source that knew nothing but the server's address.
    var knowsServerOnly: Bool {
        guard let legacy else { return false }
        return legacy.registration == nil
    }

    /// Whether the credential talks to these addresses, or, if only their server is known, to that server.
    func covers(_ other: PushEndpoints, knowingServerOnly: Bool) -> Bool {
        endpoints == other || (knowingServerOnly && endpoints.server == other.server)
    }

    /// This credential with the verbatim addresses of `other`, if it lacks them and `other` has them.
    ///
    /// The account stays: the user may have renamed it since.
    func completed(by other: PushCredential) -> PushCredential? {
        guard knowsServerOnly, !other.knowsServerOnly, serverEndpoint == other.serverEndpoint else {
            return nil
        }
        var completed = other
        completed.account = account
        completed.userId = userId ?? other.userId
        completed.deviceResourceId = deviceResourceId ?? other.deviceResourceId
        completed.legacy?.accountAddedAt = other.legacy?.accountAddedAt ?? legacy?.accountAddedAt
        return completed
    }
}

extension LegacyPushParameters {
    /// The addresses, if they are some.
    var endpoints: PushEndpoints? {
        PushEndpoints(registration: registrationEndpoint, authentication: authenticationEndpoint)
    }
}
