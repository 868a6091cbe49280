import PushBridgeCore

extension PushCredential: StoredCredential {
    static let table = Table(
        "push_credential",
        noun: "push credential",
        columns: ["id"] + AccountProfile.columns + [
            "user_id", "device_resource_id", "registration_endpoint", "authentication_endpoint", "secret",
            "created_at",
        ] + LegacyDetails.columns
    )
    static let queries = CredentialQueries(table)

    var rowID: String { id }

    func write(to row: inout RowWriter) throws(StoreError) {
        try row.write(id)
        try account.write(to: &row)
        try row.write(userId)
        try row.write(deviceResourceId)
        try row.write(registrationEndpoint)
        try row.write(authenticationEndpoint)
        try row.write(sealing: sharedSecret, as: "secret")
        try row.write(createdAt)
        try LegacyDetails.write(legacy, to: &row)
    }

    init(from row: inout RowReader) throws(StoreError) {
        let id = try row.text()
        row.record = id
        let account = try AccountProfile(from: &row)
        let userId = try row.optionalText()
        let deviceResourceId = try row.optionalText()
        let endpoints = PushEndpoints(registration: try row.text(), authentication: try row.text())
        self.init(
            id: id,
            account: account,
            endpoints: try row.present(endpoints),
            sharedSecret: try row.secret("secret"),
            createdAt: try row.date()
        )
        self.userId = userId
        self.deviceResourceId = deviceResourceId
        legacy = try LegacyDetails.read(from: &row)
    }
}
