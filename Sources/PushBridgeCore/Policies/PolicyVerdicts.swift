/// Evaluates the policies of accounts for a client; an app's own may have to wait.
package protocol PolicyEvaluating: Sendable {
    /// Whether there is a policy with a name.
    func knows(_ name: String) -> Bool
    /// Whether the device complies with the policies that a server attached.
    func outcome(of attached: String) async -> PolicyOutcome
}

/// The result of an evaluator before a transaction, which uses it because it cannot wait.
package struct PolicyVerdicts: Sendable {
    private var outcomes: [String: PolicyOutcome] = [:]
    private let evaluator: any PolicyEvaluating

    /// No verdicts yet.
    package init(_ evaluator: any PolicyEvaluating) {
        self.evaluator = evaluator
    }

    /// Has the policies of an account evaluated, unless they were before.
    package mutating func evaluate(_ account: AccountProfile) async {
        guard let policies = account.policies, lacks(account) else { return }
        outcomes[policies] = await evaluator.outcome(of: policies)
    }

    /// Whether the policies of an account were not evaluated yet.
    package func lacks(_ account: AccountProfile) -> Bool {
        account.policies.map { outcomes[$0] == nil } ?? false
    }

    /// Locks or unlocks a credential as its policies demand, and stores it if that changed it.
    /// - Throws: ``UnevaluatedPolicies``, and the store's errors.
    package func settle(_ credential: inout PushCredential, in view: any CredentialWriting) throws {
        guard !lacks(credential.account) else { throw UnevaluatedPolicies(account: credential.account) }
        if apply(to: &credential) { try view.save(credential) }
    }

    /// Locks a credential if the device does not comply with its policies.
    package func lock(_ credential: inout some AccountBound) {
        guard let policies = credential.account.policies,
            case .violation(let policy)? = outcomes[policies]
        else { return }
        credential.account.isLocked = true
        credential.account.lockingPolicy = policy
    }

    /// Locks or unlocks a credential as its policies demand.
    /// - Returns: Whether that changed it, so that it has to be stored.
    package func apply(to credential: inout some AccountBound) -> Bool {
        guard let policies = credential.account.policies, let outcome = outcomes[policies] else {
            return false
        }
        let settled = credential.account.settled(outcome, isKnown: evaluator.knows)
        guard settled != credential.account else { return false }
        credential.account = settled
        return true
    }
}

/// Ends a transaction that has to know whether the device complies with the policies of an account: they may be the
/// app's own code, which must not run inside, so they are evaluated and the transaction is called again.
package struct UnevaluatedPolicies: Error {
    package let account: AccountProfile

    package init(account: AccountProfile) {
        self.account = account
    }
}
