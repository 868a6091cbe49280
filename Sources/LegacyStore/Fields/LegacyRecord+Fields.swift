package import Foundation
package import PushBridgeCore

// Each legacy type has one function that reads its fields and one that writes them; both work for all forms. For a new
// field, add a case to `LegacyField` and extend these two functions. Write the new field only if its value is not
// `nil`, because the legacy SDK's records lack the field.

/// A legacy value that can write its fields.
package protocol LegacyValue {
    func write<Writer: LegacyFieldWriter>(to fields: inout Writer) throws(Writer.Failure)
}

extension LegacyAccount: LegacyValue {
    /// Reads an account.
    ///
    /// If the account contains no date, it gets the date `implied`.
    ///
    /// - Throws: ``LegacyRecordError`` if a required field is missing or a field has the wrong type.
    package init(
        fields: some LegacyFieldReader,
        timeAdded implied: Date? = nil
    ) throws(LegacyRecordError) {
        var profile = AccountProfile(
            issuer: try fields.requiredText(.issuer),
            accountName: try fields.requiredText(.accountName)
        )
        profile.customDisplayIssuer = try fields.text(.displayIssuer)
        profile.customDisplayAccountName = try fields.text(.displayAccountName)
        profile.imageURL = try fields.text(.imageURL)
        profile.backgroundColor = try fields.text(.backgroundColor)
        profile.policies = try fields.text(.policies)
        profile.lockingPolicy = try fields.text(.lockingPolicy)
        profile.isLocked = try fields.flag(.lock) ?? false
        let timeAdded = try fields.date(.timeAdded) ?? implied
        self.init(profile: profile, timeAdded: try fields.require(.timeAdded, timeAdded))
    }

    package func write<Writer: LegacyFieldWriter>(to fields: inout Writer) throws(Writer.Failure) {
        try fields.write(identifier, for: .id)
        try fields.write(profile.issuer, for: .issuer)
        try fields.write(profile.accountName, for: .accountName)
        try fields.write(profile.customDisplayIssuer, for: .displayIssuer)
        try fields.write(profile.customDisplayAccountName, for: .displayAccountName)
        try fields.write(profile.imageURL, for: .imageURL)
        try fields.write(profile.backgroundColor, for: .backgroundColor)
        try fields.write(profile.policies, for: .policies)
        try fields.write(profile.lockingPolicy, for: .lockingPolicy)
        try fields.write(profile.isLocked, for: .lock)
        try fields.write(.date(timeAdded), for: .timeAdded)
    }
}

extension LegacyMechanism: LegacyValue {
    /// Reads a mechanism of the given kind: `push`, `totp` or `hotp`.
    ///
    /// - Throws: ``LegacyRecordError`` if a required field is missing or a field has the wrong type.
    package init(fields: some LegacyFieldReader, kind: LegacyRecordKind) throws(LegacyRecordError) {
        try self.init(fields, LegacyFactor(fields, kind))
    }

    init(_ fields: some LegacyFieldReader, _ factor: LegacyFactor) throws(LegacyRecordError) {
        let timeAdded = try fields.date(.timeAdded) ?? fields.defaults.timeAdded
        self.init(
            mechanismUUID: try fields.identifier(.mechanismUUID),
            account: AccountKey(
                issuer: try fields.requiredText(.issuer),
                accountName: try fields.requiredText(.accountName)
            ),
            secret: try fields.require(.secret, fields.secret(.secret)),
            timeAdded: try fields.require(.timeAdded, timeAdded),
            factor: factor
        )
        version = try fields.integer(.version)
        uid = try fields.text(.uid)
        resourceId = try fields.text(.resourceId)
        // In a damaged archive, a reference to an identifier may point to the secret. The secret would then be in a
        // receipt, because receipts contain identifiers. Names are not checked, because a name can legitimately be
        // equal to the secret: an archive stores equal strings only once.
        let identifiers = [mechanismUUID, uid, resourceId]
        guard !secret.withUTF8({ identifiers.contains($0) }) else {
            throw .damaged("An identifier in the record equals the secret.")
        }
    }

    /// Reads a mechanism of an archive.
    ///
    /// The class in the archive determines the mechanism's kind.
    ///
    /// - Throws: ``LegacyRecordError`` if a required field is missing, a field has the wrong type, or the field `type`
    ///   contradicts the class.
    package init(archived fields: some LegacyFieldReader, kind: LegacyRecordKind) throws(LegacyRecordError) {
        try self.init(fields: fields, kind: kind)
        let type = try fields.text(.type) ?? kind.rawValue
        guard type == kind.rawValue else {
            throw .invalidField("The class and the field “type” state different kinds of mechanism.")
        }
    }

    package func write<Writer: LegacyFieldWriter>(to fields: inout Writer) throws(Writer.Failure) {
        try fields.write(identifier, for: .id)
        try fields.write(mechanismUUID, for: .mechanismUUID)
        try fields.write(fields.form.type(kind), for: .type)
        // All archives of the SDK have version 1, so records from other sources get version 1, too.
        try fields.write(version ?? 1, for: .version)
        try fields.write(secret, for: .secret)
        try fields.write(account.issuer, for: .issuer)
        try fields.write(account.accountName, for: .accountName)
        try fields.write(uid, for: .uid)
        try fields.write(resourceId, for: .resourceId)
        try fields.write(.date(timeAdded), for: .timeAdded)
        switch factor {
        case .push(let parameters):
            try parameters.write(to: &fields)
        case .totp(let parameters, let period):
            try parameters.write(to: &fields, kind)
            try fields.write(period, for: .period)
        case .hotp(let parameters, let counter):
            try parameters.write(to: &fields, kind)
            try fields.write(counter, for: .counter)
        }
    }
}

extension LegacyFactor {
    fileprivate init(_ fields: some LegacyFieldReader, _ kind: LegacyRecordKind) throws(LegacyRecordError) {
        switch kind {
        case .push: self = .push(try LegacyPushParameters(fields))
        case .totp:
            let parameters = try LegacyOathParameters(fields)
            let period = try fields.integer(.period) ?? fields.defaults.period
            self = .totp(parameters, period: try fields.require(.period, period))
        case .hotp:
            let parameters = try LegacyOathParameters(fields)
            let counter = try fields.integer(.counter) ?? fields.defaults.counter
            self = .hotp(parameters, counter: try fields.require(.counter, counter))
        case .account, .notification, .deviceToken, .unknown:
            throw .damaged("The record is not a mechanism.")
        }
    }
}

extension LegacyPushParameters {
    init(_ fields: some LegacyFieldReader) throws(LegacyRecordError) {
        self.init(
            registrationEndpoint: try fields.requiredText(.registrationEndpoint),
            authenticationEndpoint: try fields.requiredText(.authenticationEndpoint),
            registration: LegacyRegistration(
                messageId: try fields.presentText(.messageId),
                challenge: try fields.secret(.challenge),
                loadBalancer: try fields.text(.loadBalancer)
            )
        )
    }

    fileprivate func write<Writer: LegacyFieldWriter>(to fields: inout Writer) throws(Writer.Failure) {
        try fields.write(authenticationEndpoint, for: .authenticationEndpoint)
        try fields.write(registrationEndpoint, for: .registrationEndpoint)
        switch fields.form {
        case .archive:
            // The SDK rejects an archive without these two fields, although it no longer uses them. An empty
            // string means that the value is absent.
            try fields.write(registration?.messageId ?? "", for: .messageId)
            try fields.write(registration?.challenge.map { $0.withUTF8 { $0 } } ?? "", for: .challenge)
            try fields.write(registration?.loadBalancer, for: .loadBalancer)
        case .json:
            try fields.write(registration?.messageId, for: .messageId)
            try fields.write(registration?.challenge, for: .challenge)
            try fields.write(registration?.loadBalancer, for: .loadBalancer)
        case .export:
            try fields.write(PushPlatform.exportedPingAM, for: .platform)
        }
    }
}

extension LegacyOathParameters {
    fileprivate init(_ fields: some LegacyFieldReader) throws(LegacyRecordError) {
        let algorithm = try fields.text(.algorithm) ?? fields.defaults.algorithm
        let digits = try fields.integer(.digits) ?? fields.defaults.digits
        self.init(
            algorithm: try fields.require(.algorithm, algorithm),
            digits: try fields.require(.digits, digits)
        )
    }

    fileprivate func write<Writer: LegacyFieldWriter>(
        to fields: inout Writer,
        _ kind: LegacyRecordKind
    ) throws(Writer.Failure) {
        try fields.write(kind.rawValue, for: .oathType)
        try fields.write(algorithm, for: .algorithm)
        try fields.write(digits, for: .digits)
    }
}

extension PushNotification: LegacyValue {
    package init(fields: some LegacyFieldReader) throws(LegacyRecordError) {
        let timeAdded = try fields.date(.timeAdded) ?? fields.defaults.timeAdded
        let challenge = try fields.text(.challenge) ?? fields.defaults.challenge
        self.init(
            message: PushMessage(
                id: try fields.requiredText(.messageId),
                challenge: try fields.require(.challenge, challenge)
            ),
            mechanismUUID: try fields.requiredText(.mechanismUUID),
            ttl: try fields.require(.ttl, fields.number(.ttl)),
            timeAdded: try fields.require(.timeAdded, timeAdded)
        )
        pending = try fields.flag(.pending) ?? false
        approved = try fields.flag(.approved) ?? false
        loadBalancer = try fields.text(.loadBalanceKey)
        customPayload = try fields.text(.customPayload)
        messageText = try fields.text(.message)
        legacyPushType = try fields.text(.pushType)
        numbersChallenge = try fields.text(.numbersChallenge)
        contextInfo = try fields.text(.contextInfo)
    }

    package func write<Writer: LegacyFieldWriter>(to fields: inout Writer) throws(Writer.Failure) {
        try fields.write(legacyIdentifier, for: .id)
        try fields.write(messageId, for: .messageId)
        try fields.write(challenge ?? "", for: .challenge)
        try fields.write(loadBalancer, for: .loadBalanceKey)
        try fields.write(.number(timeToLive), for: .ttl)
        try fields.write(credentialId, for: .mechanismUUID)
        try fields.write(.date(orderedAt), for: .timeAdded)
        try fields.write(.date(expiresAt), for: .timeExpired)
        try fields.write(pending, for: .pending)
        try fields.write(approved, for: .approved)
        try fields.write(customPayload, for: .customPayload)
        try fields.write(messageText, for: .message)
        try fields.write(legacyPushType, for: .pushType)
        try fields.write(numbersChallenge, for: .numbersChallenge)
        try fields.write(contextInfo, for: .contextInfo)
    }
}

extension PushDeviceToken: LegacyValue {
    package init(fields: some LegacyFieldReader) throws(LegacyRecordError) {
        self.init(
            tokenId: try fields.identifier(.tokenId),
            createdAt: try fields.require(.timeAdded, fields.date(.timeAdded))
        )
    }

    package func write<Writer: LegacyFieldWriter>(to fields: inout Writer) throws(Writer.Failure) {
        try fields.write(SharedSecret(utf8: tokenId), for: .tokenId)
        // For device tokens, JSON contains the date in seconds, like an archive.
        try fields.write(.number(createdAt.timeIntervalSince1970), for: .timeAdded)
    }
}

extension LegacyRecord: LegacyValue {
    package func write<Writer: LegacyFieldWriter>(to fields: inout Writer) throws(Writer.Failure) {
        switch self {
        case .account(let account): try account.write(to: &fields)
        case .mechanism(let mechanism): try mechanism.write(to: &fields)
        case .notification(let notification): try notification.write(to: &fields)
        case .deviceToken(let token): try token.write(to: &fields)
        }
    }
}
