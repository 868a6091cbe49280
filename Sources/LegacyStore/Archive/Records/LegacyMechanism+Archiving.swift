import PushBridgeCore

extension LegacyMechanism {
    /// The mechanism as the fields of an archive.
    var archiveFields: KeyedArchiveBuilder {
        var archive = KeyedArchiveBuilder()
        archive.add(mechanismUUID, for: .mechanismUUID)
        archive.add(kind.rawValue, for: .type)
        archive.add(version, for: .version)
        archive.add(secret, for: .secret)
        archive.add(account.issuer, for: .issuer)
        archive.add(account.accountName, for: .accountName)
        archive.add(uid, for: .uid)
        archive.add(resourceId, for: .resourceId)
        archive.add(timeAdded, for: .timeAdded)
        switch factor {
        case .push(let parameters): parameters.add(to: &archive)
        case .totp(let parameters, let period):
            parameters.add(to: &archive)
            archive.add(period, for: .period)
        case .hotp(let parameters, let counter):
            parameters.add(to: &archive)
            archive.add(counter, for: .counter)
        }
        return archive
    }

    /// The class of the mechanism's archive.
    var archiveClass: LegacyArchiveClass {
        switch factor {
        case .push: .pushMechanism
        case .totp: .totpMechanism
        case .hotp: .hotpMechanism
        }
    }
}

extension LegacyPushParameters {
    fileprivate func add(to archive: inout KeyedArchiveBuilder) {
        archive.add(authenticationEndpoint, for: .authenticationEndpoint)
        archive.add(registrationEndpoint, for: .registrationEndpoint)
        // The SDK cannot do without these two, though it has no more use for them; empty is read as absent.
        archive.add(registration.messageId ?? "", for: .messageId)
        archive.add(registration.challenge.map { $0.withUTF8 { $0 } } ?? "", for: .challenge)
        archive.add(registration.loadBalancer, for: .loadBalancer)
    }
}

extension LegacyOathParameters {
    fileprivate func add(to archive: inout KeyedArchiveBuilder) {
        archive.add(algorithm, for: .algorithm)
        archive.add(digits, for: .digits)
    }
}
