// A bike shop with NestJS and @nestjs/swagger, written without decorators' syntax, which Node does not run. People sign in
// with a user and a password.
import 'reflect-metadata';
import {
  Body,
  Controller,
  Delete,
  Get,
  Module,
  Param,
  ParseIntPipe,
  Post,
  Put,
  Query,
  UnauthorizedException,
  UploadedFile,
  UseInterceptors,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FileInterceptor } from '@nestjs/platform-express';
import {
  ApiBasicAuth,
  ApiBody,
  ApiConsumes,
  ApiExcludeEndpoint,
  ApiProperty,
  ApiQuery,
  DocumentBuilder,
  SwaggerModule,
} from '@nestjs/swagger';

/** Applies decorators as a compiler does, the last one first. */
const decorate = (target, key, decorators) => {
  const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
  for (const decorator of decorators.toReversed()) decorator(target, key, descriptor);
};
const type = (members, name) => {
  const made = { [name]: class {} }[name];
  for (const [member, options] of Object.entries(members)) ApiProperty(options)(made.prototype, member);
  return made;
};

const received = [];
const Bike = type(
  {
    name: { type: String },
    gears: { type: 'integer', required: false, nullable: true },
    tags: { type: [String], required: false },
  },
  'Bike',
);
const Purge = type({ before: { type: String, format: 'date' } }, 'Purge');

class BikesController {
  readReceived() {
    return received;
  }
  whoAmI() {
    received.push({ op: 'me', person: 'ana' });
    return {};
  }
  findAll(color, limit) {
    received.push({ op: 'list', colors: [color].flat(), limit: Number(limit) });
    return {};
  }
  create(bike) {
    received.push({ op: 'create', ...bike });
    return {};
  }
  purge(body) {
    received.push({ op: 'purge', ...body });
    return {};
  }
  findOne(id) {
    received.push({ op: 'get', id });
    return {};
  }
  replace(id, bike) {
    received.push({ op: 'replace', id, ...bike });
    return {};
  }
  remove(id) {
    received.push({ op: 'delete', id });
    return {};
  }
  uploadPhoto(id, photo, form) {
    received.push({ op: 'photo', id, photo: photo.buffer.toString(), caption: form.caption });
    return {};
  }
}

const METHODS = {
  readReceived: [[], [Get('received'), ApiExcludeEndpoint()], []],
  whoAmI: [[], [Get('me')], []],
  findAll: [
    [Array, Number],
    [
      Get('bikes'),
      ApiQuery({ name: 'color', type: [String], required: false }),
      ApiQuery({ name: 'limit', type: 'integer', required: false }),
    ],
    [Query('color'), Query('limit')],
  ],
  create: [[Bike], [Post('bikes')], [Body()]],
  purge: [[Purge], [Post('bikes/purge')], [Body()]],
  findOne: [[Number], [Get('bikes/:id')], [Param('id', ParseIntPipe)]],
  replace: [[Number, Bike], [Put('bikes/:id')], [Param('id', ParseIntPipe), Body()]],
  remove: [[Number], [Delete('bikes/:id')], [Param('id', ParseIntPipe)]],
  uploadPhoto: [
    [Number, Object, Object],
    [
      Post('bikes/:id/photo'),
      UseInterceptors(FileInterceptor('photo')),
      ApiConsumes('multipart/form-data'),
      ApiBody({
        schema: {
          type: 'object',
          properties: { photo: { type: 'string', format: 'binary' }, caption: { type: 'string' } },
        },
      }),
    ],
    [Param('id', ParseIntPipe), UploadedFile(), Body()],
  ],
};
for (const [name, [types, decorators, parameters]] of Object.entries(METHODS)) {
  Reflect.defineMetadata('design:paramtypes', types, BikesController.prototype, name);
  for (const [index, parameter] of parameters.entries()) parameter(BikesController.prototype, name, index);
  decorate(BikesController.prototype, name, decorators);
}
decorate(BikesController, undefined, [Controller(), ApiBasicAuth()]);

class ShopModule {}
decorate(ShopModule, undefined, [Module({ controllers: [BikesController] })]);

const app = await NestFactory.create(ShopModule, { logger: ['error'] });
const BASIC = `Basic ${Buffer.from('token-of-ana:token-of-ana').toString('base64')}`;
app.use((request, _response, next) => {
  const isOpen = /^\/(received|api)/.test(request.path);
  next(isOpen || request.headers.authorization === BASIC ? undefined : new UnauthorizedException());
});
const config = new DocumentBuilder().setTitle('Bike shop').setVersion('1').addBasicAuth().build();
SwaggerModule.setup('api', app, () => SwaggerModule.createDocument(app, config));
await app.listen(Number(process.env.PORT), '127.0.0.1');
