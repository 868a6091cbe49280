/// Evaluates the policies of accounts for a client.
///
/// The evaluation is asynchronous, because the evaluation of an app's own policy may be asynchronous.
package protocol PolicyEvaluating: Sendable {
    /// Returns whether there is a policy with this name.
    func hasPolicy(named name: String) -> Bool
    /// Evaluates whether the device complies with the policies that a server attached.
    func outcome(of attached: String) async -> PolicyOutcome
}

/// The results of evaluations that were made before a transaction.
///
/// The transaction uses these results, because it cannot wait for an evaluation.
package struct PolicyVerdicts: Sendable {
    private var outcomes: [String: PolicyOutcome] = [:]
    private let evaluator: any PolicyEvaluating

    /// Creates an empty set of results.
    package init(_ evaluator: any PolicyEvaluating) {
        self.evaluator = evaluator
    }

    /// Evaluates the policies of an account, unless they have already been evaluated.
    package mutating func evaluate(_ account: AccountProfile) async {
        guard let policies = account.policies, lacks(account) else { return }
        outcomes[policies] = await evaluator.outcome(of: policies)
    }

    /// Returns whether the policies of an account have not been evaluated yet.
    package func lacks(_ account: AccountProfile) -> Bool {
        account.policies.map { outcomes[$0] == nil } ?? false
    }

    /// Locks or unlocks a credential as its policies require, and stores it if the lock changed.
    /// - Throws: ``UnevaluatedPolicies``, and the store's errors.
    package func settle(_ credential: inout PushCredential, in view: any CredentialWriting) throws {
        guard !lacks(credential.account) else { throw UnevaluatedPolicies(account: credential.account) }
        if apply(to: &credential) { try view.save(credential) }
    }

    /// Locks a credential if its policies have been evaluated and the device does not comply with them.
    package func lock(_ credential: inout some AccountBound) {
        guard let policies = credential.account.policies,
            case .violation(let policy)? = outcomes[policies]
        else { return }
        credential.account.isLocked = true
        credential.account.lockingPolicy = policy
    }

    /// Locks or unlocks a credential as its policies require, if they have been evaluated.
    /// - Returns: Whether the lock changed; if it did, the caller has to store the credential.
    package func apply(to credential: inout some AccountBound) -> Bool {
        guard let policies = credential.account.policies, let outcome = outcomes[policies] else {
            return false
        }
        let settled = credential.account.settled(outcome, isKnown: evaluator.hasPolicy(named:))
        guard settled != credential.account else { return false }
        credential.account = settled
        return true
    }
}

/// The error that ends a transaction if the policies of this account have not been evaluated.
///
/// Policies may be the app's own code, which must not run inside a transaction. The caller evaluates the
/// policies and runs the transaction again.
package struct UnevaluatedPolicies: Error {
    package let account: AccountProfile

    package init(account: AccountProfile) {
        self.account = account
    }
}
