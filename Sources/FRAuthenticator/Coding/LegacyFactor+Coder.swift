import Foundation
import LegacyStore
import PushBridgeCore

extension LegacyFactor {
    /// Reads what an archived mechanism of a kind adds; `nil` if a field it cannot do without is not there.
    init?(_ archive: ArchiveReader, kind: LegacyRecordKind) {
        switch kind {
        case .push:
            guard let parameters = LegacyPushParameters(archive) else { return nil }
            self = .push(parameters)
        case .totp:
            guard let parameters = LegacyOathParameters(archive), let period = archive.integer(.period)
            else { return nil }
            self = .totp(parameters, period: period)
        case .hotp:
            guard let parameters = LegacyOathParameters(archive), let counter = archive.integer(.counter)
            else { return nil }
            self = .hotp(parameters, counter: counter)
        case .account, .notification, .deviceToken, .unknown:
            return nil
        }
    }

    func write(to archive: ArchiveWriter) {
        switch self {
        case .push(let parameters):
            parameters.write(to: archive)
        case .totp(let parameters, let period):
            parameters.write(to: archive)
            archive.write(period, for: .period)
        case .hotp(let parameters, let counter):
            parameters.write(to: archive)
            archive.write(counter, for: .counter)
        }
    }
}

extension LegacyPushParameters {
    fileprivate init?(_ archive: ArchiveReader) {
        guard
            let registrationEndpoint = archive.text(.registrationEndpoint),
            let authenticationEndpoint = archive.text(.authenticationEndpoint)
        else { return nil }
        self.init(
            registrationEndpoint: registrationEndpoint,
            authenticationEndpoint: authenticationEndpoint,
            registration: LegacyRegistration(
                messageId: archive.text(.messageId).flatMap { $0.isEmpty ? nil : $0 },
                challenge: archive.secret(.challenge),
                loadBalancer: archive.text(.loadBalancer)
            )
        )
    }

    fileprivate func write(to archive: ArchiveWriter) {
        archive.write(authenticationEndpoint, for: .authenticationEndpoint)
        archive.write(registrationEndpoint, for: .registrationEndpoint)
        // The legacy SDK cannot do without these two; empty is read as absent.
        archive.write(registration.messageId ?? "", for: .messageId)
        archive.write(registration.challenge.map { $0.withUTF8 { $0 } } ?? "", for: .challenge)
        archive.write(registration.loadBalancer, for: .loadBalancer)
    }
}

extension LegacyOathParameters {
    fileprivate init?(_ archive: ArchiveReader) {
        guard let digits = archive.integer(.digits) else { return nil }
        self.init(algorithm: archive.text(.algorithm) ?? "sha1", digits: digits)
    }

    fileprivate func write(to archive: ArchiveWriter) {
        archive.write(algorithm, for: .algorithm)
        archive.write(digits, for: .digits)
    }
}
