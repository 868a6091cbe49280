extension Scenario {
    /// Refuses what nobody means: a scenario without steps, and names that no step before has given.
    ///
    /// A step about a name that nothing has would be skipped on both sides, and pass for one that shows no difference.
    func validate() throws(ParityError) {
        guard !steps.isEmpty else { throw ParityError(code: .invalidStep, reason: "There are no steps.") }
        if let kept = settings.keptNotifications, kept < 0 {
            throw ParityError(code: .invalidStep, reason: "keptNotifications is negative.")
        }
        var (credentials, pushes): (Set<String>, Set<String>) = ([], [])
        for (index, step) in steps.enumerated() {
            let unknown =
                step.credentialsNamed.first { !credentials.contains($0) }.map { "credential \($0)" }
                ?? step.pushesNamed.first { !pushes.contains($0) }.map { "push \($0)" }
            if let unknown {
                let place = "Step \(index + 1), \(step.verb.rawValue)"
                throw ParityError(
                    code: .invalidStep,
                    reason: "\(place): no step before it makes a \(unknown)."
                )
            }
            credentials.formUnion(step.credentialsMade)
            pushes.formUnion(step.pushesMade)
        }
    }
}

extension Step {
    fileprivate var credentialsMade: [String] {
        switch self {
        case .enrol(let enrol): [enrol.credential]
        case .migrate(let migrate): [migrate.credential]
        default: []
        }
    }

    fileprivate var pushesMade: [String] {
        switch self {
        case .receive(let receive): [receive.push]
        case .migrate(let migrate): [migrate.push].compactMap(\.self)
        default: []
        }
    }

    fileprivate var credentialsNamed: [String] {
        switch self {
        case .token(let token): [token.credential].compactMap(\.self)
        case .enrol(let enrol): [enrol.again].compactMap(\.self)
        case .receive(let receive): [receive.credential]
        case .fault(let fault): [fault.credential].compactMap(\.self)
        case .forget(let name), .unlock(let name), .deleteCredential(let name), .deleteAccount(let name),
            .code(let name):
            [name.credential]
        case .lock(let lock): [lock.credential]
        case .rename(let rename): [rename.credential]
        default: []
        }
    }

    fileprivate var pushesNamed: [String] {
        switch self {
        case .receive(let receive): [receive.messageIdOf].compactMap(\.self)
        case .receiveAgain(let push), .deleteNotification(let push): [push.push]
        case .answer(let answer): [answer.push]
        default: []
        }
    }
}
